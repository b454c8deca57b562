import { download, type Site } from '@quire/testing';

/** The file at an address of the site, as anybody gets it. */
export const fileAt = (site: Site, path: string, options?: Parameters<typeof download>[3]) =>
  download(site.system, site.host, path, options);

/** How many rows each of these has. @param sources tables, with a condition where one is wanted */
export const countRows = (site: Site, ...sources: string[]): Promise<number[]> =>
  Promise.all(
    sources.map(async (source) => {
      const [row] = await site.sql<{ count: string }>(`SELECT count(*) FROM ${source}`);
      return Number(row?.count);
    }),
  );

/** Objects of the site that wait for the sweep, as a source for `countRows`. */
export const objectDeletions = ({ tenant }: Site) =>
  `cms_media.object_deletions WHERE tenant_id = '${tenant}'`;
