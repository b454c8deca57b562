import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy } from '@fastify/busboy';

/** Flushes a file to the disk. */
async function flush(path) {
  const handle = await open(path, 'r');
  await handle.sync();
  await handle.close();
}

/** Streams a file to a folder: hashed on the way, flushed, renamed. */
async function keep(folder, bytes) {
  const id = randomUUID();
  const hash = createHash('sha256');
  const hashing = new Transform({
    transform(chunk, _encoding, done) {
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

/** Files as a baseline handler takes and serves them: no database, no checks of what they are. */
export async function addMedia(app, folder) {
  await mkdir(folder);
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    scope.post('/media', async ({ raw }, reply) => {
      let kept;
      const parser = new Busboy({ headers: raw.headers });
      parser.on('file', (_name, bytes) => (kept = keep(folder, bytes)));
      await pipeline(raw, parser);
      reply.status(201);
      return { success: true, data: { item: await kept } };
    });
  });
  app.delete('/media/:id', async ({ params }) => {
    await rm(join(folder, params.id), { force: true });
    return { success: true };
  });
  app.get('/media/file/:id', async ({ params }, reply) => {
    const path = join(folder, params.id);
    const { size } = await stat(path);
    reply.headers({ 'content-type': 'application/pdf', 'content-length': size });
    return reply.send(createReadStream(path));
  });
}
