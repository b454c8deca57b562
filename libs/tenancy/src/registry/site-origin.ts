/** Where clients reach the installation. */
export interface PublicAddress {
  /** Begins addresses of sites that have no host of their own. */
  origin: string;
  /** Whether the operator said so; else it is guessed from the port that the process listens on. */
  isGiven: boolean;
}

/**
 * Origin of a site at one of its hosts. Scheme and port are the operator's, so that a request does not lead links
 * elsewhere: the port is that of the registered host, else that of the installation. A guessed one counts as far as the
 * client uses it.
 * @param registered host as the site has it, with or without a port
 * @param asked the client's Host header
 */
export function siteOrigin(registered: string, asked: string, { origin, isGiven }: PublicAddress): string {
  const { protocol, port } = new URL(origin);
  const site = `${protocol}//${registered}`;
  if (port === '' || /:\d+$/.test(registered)) return site;
  return isGiven || asked.endsWith(`:${port}`) ? `${site}:${port}` : site;
}

/**
 * The hosts at which the installation itself is reached (decision 29): that of its public address, or, without one,
 * those of this computer.
 */
export function installationHosts({ origin, isGiven }: PublicAddress): string[] {
  const { host, port } = new URL(origin);
  if (isGiven) return [host];
  return ['localhost', '127.0.0.1', '[::1]'].map((name) => (port === '' ? name : `${name}:${port}`));
}
