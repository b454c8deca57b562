/**
 * Parses a text that is exactly an origin.
 * @throws when it is not the https origin of a server
 */
export function parseOrigin(text: unknown): string {
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:' || (text !== url.origin && text !== `${url.origin}/`)) {
    throw new Error(`${JSON.stringify(text)} is not the https address of a server`);
  }
  return url.origin;
}
