import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import type { FastifyInstance } from 'fastify';

/** Flushes a file to the disk. */
async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r');
  await handle.sync();
  await handle.close();
}

interface StoredFile {
  id: string;
  sha256: string;
  url: string;
}

/** Streams a file to a folder, hashes it, flushes it, and renames it. */
async function store(folder: string, bytes: Readable): Promise<StoredFile> {
  const id = randomUUID();
  const hash = createHash('sha256');
  const hashing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  const unfinished = join(folder, `${id}.unfinished`);
  await pipeline(bytes, hashing, createWriteStream(unfinished));
  await flush(unfinished);
  await rename(unfinished, join(folder, id));
  await flush(folder);
  return { id, sha256: hash.digest('hex'), url: `/media/file/${id}` };
}

/** Routes of files for the baseline handler: no database, no check of their content. */
export async function addMedia(app: FastifyInstance, folder: string): Promise<void> {
  await mkdir(folder);
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    scope.post('/media', async ({ raw }, reply) => {
      let stored: Promise<StoredFile> | undefined;
      const parser = new Busboy({ headers: raw.headers as BusboyHeaders });
      parser.on('file', (_name, bytes) => (stored = store(folder, bytes as Readable)));
      await pipeline(raw, parser);
      reply.status(201);
      return { success: true, data: { item: await stored } };
    });
  });
  app.delete<{ Params: { id: string } }>('/media/:id', async ({ params }) => {
    await rm(join(folder, params.id), { force: true });
    return { success: true };
  });
  app.get<{ Params: { id: string } }>('/media/file/:id', async ({ params }, reply) => {
    const path = join(folder, params.id);
    const { size } = await stat(path);
    reply.headers({ 'content-type': 'application/pdf', 'content-length': size });
    return reply.send(createReadStream(path));
  });
}
