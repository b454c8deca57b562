import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { eventually, type Client, type Site } from '@quire/testing';
import { request } from 'undici';

/** Workers of a loaded machine take their time. */
const endWithinMs = 25_000;
/** The workers take the steps too: a test asks again soon. */
const maxDelayMs = 100;

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

export const importsPath = '/admin/transfer/imports';

/** Creates an import of a package, and uploads all of its files. */
export async function uploadPackage(
  client: Client,
  files: readonly ArchivedFile[],
): Promise<{ id: string; packageDigest: string }> {
  const bytesOf = new Map(files.map(({ path, bytes }) => [path, bytes]));
  const created = await client.post(importsPath, undefined, {
    headers: { 'content-type': 'application/json' },
    rawBody: bytesOf.get('manifest.json') ?? '',
  });
  const { id, packageDigest } = created.data.operation as { id: string; packageDigest: string };
  for (;;) {
    const { items } = (await client.get(`${importsPath}/${id}/missing?limit=100`)).data as {
      items: { path: string }[];
    };
    if (items.length === 0) return { id, packageDigest };
    for (const { path } of items)
      await uploadPackageFile(client, id, path, bytesOf.get(path) ?? Buffer.alloc(0));
  }
}

export async function uploadPackageFile(
  client: Client,
  id: string,
  path: string,
  bytes: Buffer,
): Promise<void> {
  const uploaded = await client.put(`${importsPath}/${id}/files/${path}`, undefined, {
    headers: { 'content-type': 'application/octet-stream' },
    rawBody: bytes,
  });
  if (uploaded.status !== 200) throw new Error(`${path}: ${uploaded.status} ${uploaded.error.message}`);
}

/** Takes the steps of an analysis. @returns the plan with its digest */
export async function analyzeToPlan(client: Client, id: string, decisions?: object) {
  for (;;) {
    const { status, data, error } = await client.post(
      `${importsPath}/${id}/analyze`,
      decisions && { decisions },
    );
    if (status !== 200) throw new Error(`analyze: ${status} ${error.message}`);
    if (data.plan) return data;
    if (data.nextRequestInMs === null) throw new Error(`analyze: ${JSON.stringify(data.operation)}`);
    await wait(Math.min(data.nextRequestInMs as number, maxDelayMs));
  }
}

/** Takes the steps of a started import. */
export async function advanceToEnd(client: Client, id: string) {
  for (;;) {
    const { status, data, error } = await client.post(`${importsPath}/${id}/advance`);
    if (status !== 200) throw new Error(`advance: ${status} ${error.message}`);
    if (data.nextRequestInMs === null) return data;
    await wait(Math.min(data.nextRequestInMs as number, maxDelayMs));
  }
}
