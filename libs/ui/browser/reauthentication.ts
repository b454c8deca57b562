import { post, Problem } from './api.js';
import { usePasskey } from './passkeys.js';

const path = '/_cms/api/auth/passkey/reauthenticate';

/** Has the user sign with one of their passkeys. @returns what the API takes. @throws Problem */
export async function signWithOwnPasskey(): Promise<object> {
  const { options } = await post<{ options: PublicKeyCredentialRequestOptionsJSON }>(`${path}/options`, {});
  return usePasskey(options);
}

/**
 * Does something that may need a recent sign-in: where the API says so, the user uses a passkey, and it is done once
 * more. Somebody without a passkey signs in again, and comes back to this page.
 * @throws Problem
 */
export async function withRecentSignIn<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!needsReauthentication(error)) throw error;
  }
  try {
    await post(`${path}/verify`, { credential: await signWithOwnPasskey() });
  } catch (error) {
    if (needsReauthentication(error)) {
      const back = encodeURIComponent(location.pathname + location.search);
      location.assign(`/_cms/admin/login?again=1&redirect=${back}`);
    }
    throw error;
  }
  return work();
}

function needsReauthentication(error: unknown): boolean {
  return error instanceof Problem && error.code === 'REAUTHENTICATION_REQUIRED';
}
