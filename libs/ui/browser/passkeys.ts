import { Problem } from './api.js';

/** The reason why this browser cannot use passkeys here; undefined when it can. */
export function passkeyUnavailableReason(): string | undefined {
  if (!window.isSecureContext)
    return 'Passkeys need a secure connection: open this page with https, or at localhost.';
  if (
    typeof PublicKeyCredential === 'undefined' ||
    typeof PublicKeyCredential.parseCreationOptionsFromJSON !== 'function' ||
    typeof PublicKeyCredential.parseRequestOptionsFromJSON !== 'function'
  )
    return 'This browser cannot use passkeys here. Open this page in a current one.';
  return undefined;
}

/** Creates a passkey. @returns the credential, as the API takes it. @throws Problem */
export function createPasskey(options: PublicKeyCredentialCreationOptionsJSON): Promise<object> {
  return ceremony(() =>
    navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) }),
  );
}

/** Signs a challenge with a passkey. @returns the credential, as the API takes it. @throws Problem */
export function usePasskey(options: PublicKeyCredentialRequestOptionsJSON): Promise<object> {
  return ceremony(() =>
    navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) }),
  );
}

const reasons: Record<string, string> = {
  NotAllowedError: 'No passkey was used: it was cancelled, or it took too long. Try again.',
  InvalidStateError: 'This device has a passkey for your account already.',
  SecurityError: 'Passkeys do not work at this address.',
  NotSupportedError: 'This device cannot make a passkey for this site.',
};

async function ceremony(begin: () => Promise<Credential | null>): Promise<object> {
  try {
    const credential = await begin();
    if (!credential) throw new Problem('No passkey was used. Try again.');
    return (credential as PublicKeyCredential).toJSON();
  } catch (error) {
    if (error instanceof Problem) throw error;
    const name = error instanceof DOMException ? error.name : '';
    throw new Problem(reasons[name] ?? 'Passkey authentication failed. Try again.');
  }
}
