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
    return 'This browser cannot use passkeys here. Open this page in a current browser.';
  return undefined;
}

/** Creates a passkey. @returns the credential in the API's format. @throws Problem */
export function createPasskey(options: PublicKeyCredentialCreationOptionsJSON): Promise<object> {
  return runCeremony(() =>
    navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) }),
  );
}

/** Signs a challenge with a passkey. @returns the credential in the API's format. @throws Problem */
export function usePasskey(options: PublicKeyCredentialRequestOptionsJSON): Promise<object> {
  return runCeremony(() =>
    navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) }),
  );
}

const reasons: Record<string, string> = {
  NotAllowedError: 'No passkey was used: the request was cancelled or timed out. Try again.',
  InvalidStateError: 'This device already has a passkey for your account.',
  SecurityError: 'Passkeys do not work at this address.',
  NotSupportedError: 'This device cannot create a passkey for this site.',
};

async function runCeremony(request: () => Promise<Credential | null>): Promise<object> {
  try {
    const credential = await request();
    if (!credential) throw new Problem('No passkey was used. Try again.');
    return (credential as PublicKeyCredential).toJSON();
  } catch (error) {
    if (error instanceof Problem) throw error;
    const name = error instanceof DOMException ? error.name : '';
    throw new Problem(reasons[name] ?? 'Passkey authentication failed. Try again.');
  }
}
