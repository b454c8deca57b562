/** How an application gets tokens for a device without a browser (RFC 8628). */
export const deviceGrantType = 'urn:ietf:params:oauth:grant-type:device_code';

/** Whether a client may use a grant type. @param registered null for a client that may use any */
export function mayUseGrantType(registered: readonly string[] | null, type: string): boolean {
  return registered === null || registered.includes(type);
}
