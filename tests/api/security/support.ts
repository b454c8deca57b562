import type { Site } from '@quire/testing';

/** E-mail addresses of a site, by the name of a user: sites share the mail server, so each uses its own addresses. */
export const addressesOf =
  (site: Site) =>
  (name: string): string =>
    `${name}@${site.tenant}.example`;
