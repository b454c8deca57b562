/** The public address of the installation. */
export interface PublicAddress {
  /** Prefix of addresses of sites without a host. */
  origin: string;
  /** Whether the operator configured it; otherwise it is derived from the port of the process. */
  isGiven: boolean;
}

/**
 * Origin of a site at one of its hosts. Scheme and port are configured by the operator, so that a request cannot lead
 * links elsewhere: the port is that of the registered host, else that of the installation. A derived port counts only
 * if the client uses it.
 * @param registered registered host of the site, with or without a port
 * @param hostHeader the client's Host header
 */
export function siteOrigin(
  registered: string,
  hostHeader: string,
  { origin, isGiven }: PublicAddress,
): string {
  const { protocol, port } = new URL(origin);
  const site = `${protocol}//${registered}`;
  if (port === '' || /:\d+$/.test(registered)) return site;
  return isGiven || hostHeader.endsWith(`:${port}`) ? `${site}:${port}` : site;
}

/**
 * The hosts of the installation itself (decision 29): that of its public address, or, without one, those of this
 * computer.
 */
export function installationHosts({ origin, isGiven }: PublicAddress): string[] {
  const { host, port } = new URL(origin);
  if (isGiven) return [host];
  return ['localhost', '127.0.0.1', '[::1]'].map((name) => (port === '' ? name : `${name}:${port}`));
}
