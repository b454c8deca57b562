import { api } from '../api/client.js';

type Credential = Parameters<typeof api.call<'verifyPasskeyLogin'>>[1]['body']['credential'];

/** Whether this browser can sign in with a passkey on this page. */
export function canUsePasskeys(): boolean {
  return (
    window.isSecureContext &&
    typeof PublicKeyCredential !== 'undefined' &&
    typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function'
  );
}

/**
 * Signs the user in with a passkey.
 * @param email address of the account
 * @throws ApiError; DOMException when the user cancels
 */
export async function signInWithPasskey(email: string | undefined): Promise<void> {
  const { options } = await api.call('startPasskeyLogin', { body: email === undefined ? {} : { email } });
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as PublicKeyCredentialRequestOptionsJSON,
  );
  const credential = await navigator.credentials.get({ publicKey });
  if (!(credential instanceof PublicKeyCredential)) throw new DOMException('No passkey', 'NotAllowedError');
  await api.call('verifyPasskeyLogin', { body: { credential: credential.toJSON() as Credential } });
}
