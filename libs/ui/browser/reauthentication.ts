import { post, Problem } from './api.js';
import { usePasskey } from './passkeys.js';

const path = '/_cms/api/auth/passkey/reauthenticate';

/** Signs a challenge with a passkey of the user. @returns the credential in the API's format. @throws Problem */
export async function signWithOwnPasskey(): Promise<object> {
  const { options } = await post<{ options: PublicKeyCredentialRequestOptionsJSON }>(`${path}/options`, {});
  return usePasskey(options);
}

/**
 * Runs work that may need a recent sign-in. If the API requires one, the user confirms with a passkey and the work runs
 * again. A user without a passkey is redirected to the login page, which returns to this page.
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
