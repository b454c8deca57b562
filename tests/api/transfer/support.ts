import { createHash } from 'node:crypto';
import { eventually, type Client, type Site } from '@quire/testing';
import { request } from 'undici';

/** Workers of a loaded machine take their time. */
const endWithinMs = 25_000;

export const exportsPath = '/admin/transfer/exports';

/** A file of a downloaded archive. */
export interface ArchivedFile {
  path: string;
  bytes: Buffer;
}

/** Bytes that the API sends, with the client's token. */
export async function downloadAs(
  { system, host }: Site,
  { token }: Client,
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; headers: Record<string, unknown>; bytes: Buffer }> {
  const response = await request(`${system.origin}/_cms/api${path}`, {
    headers: { host, authorization: `Bearer ${token}`, ...headers },
  });
  return {
    status: response.statusCode,
    headers: response.headers,
    bytes: Buffer.from(await response.body.arrayBuffer()),
  };
}

/** Starts an export and waits for its end. @returns the answer to its last read */
export async function exportSite(client: Client, options: object = {}) {
  const { data } = await client.post(exportsPath, options);
  return completeExport(client, data.operation.id as string);
}

/** Waits for the end of an export, which the workers advance. */
export function completeExport(client: Client, id: string) {
  const read = async () => {
    const { data } = await client.get(`${exportsPath}/${id}`);
    return data;
  };
  return eventually(
    read,
    (data) => ['complete', 'failed'].includes(data.operation.state as string),
    endWithinMs,
  );
}

/** The files of a tar archive, by GNU tar's rules for plain files. */
export function filesOfArchive(archive: Buffer): ArchivedFile[] {
  const files: ArchivedFile[] = [];
  for (let start = 0; archive[start] !== 0 && start < archive.length;) {
    const header = archive.subarray(start, start + 512);
    const path = header.subarray(0, 100).toString().replace(/\0.*$/, '');
    const size = parseInt(header.subarray(124, 136).toString(), 8);
    files.push({ path, bytes: archive.subarray(start + 512, start + 512 + size) });
    start += 512 + Math.ceil(size / 512) * 512;
  }
  return files;
}

export const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** The records of a kind in an archive. */
export function recordsIn(files: readonly ArchivedFile[], kind: string): Record<string, unknown>[] {
  return files
    .filter(({ path }) => path.startsWith(`records/${kind}/`))
    .flatMap(({ bytes }) => bytes.toString().trimEnd().split('\n'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
