import { download, type Site } from '@quire/testing';

/** Downloads the file at a path of the site without credentials. */
export const fileAt = (site: Site, path: string, options?: Parameters<typeof download>[3]) =>
  download(site.system, site.host, path, options);

/** Counts rows. @param sources tables, each with an optional WHERE clause */
export const countRows = (site: Site, ...sources: string[]): Promise<number[]> =>
  Promise.all(
    sources.map(async (source) => {
      const [row] = await site.sql<{ count: string }>(`SELECT count(*) FROM ${source}`);
      return Number(row?.count);
    }),
  );

/** Pending object deletions of the site, as a source for `countRows`. */
export const objectDeletions = ({ tenant }: Site) =>
  `cms_media.object_deletions WHERE tenant_id = '${tenant}'`;
