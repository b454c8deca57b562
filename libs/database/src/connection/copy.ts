import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from, to } from 'pg-copy-streams';

/** The rows of a statement COPY ... TO STDOUT. A reader that stops early ends the connection. */
export async function* copyTo(client: pg.ClientBase, statement: string): AsyncGenerator<Buffer> {
  let isDone = false;
  try {
    for await (const chunk of client.query(to(statement))) yield chunk as Buffer;
    isDone = true;
  } finally {
    if (!isDone) endConnection(client);
  }
}

/** Sends rows to a statement COPY ... FROM STDIN. A failure ends the connection. */
export async function copyFrom(
  client: pg.ClientBase,
  statement: string,
  rows: AsyncIterable<Buffer>,
): Promise<void> {
  try {
    await pipeline(rows, client.query(from(statement)));
  } catch (error) {
    endConnection(client);
    throw error;
  }
}

/** An unfinished copy leaves the connection in the middle of a message. The pool takes no ended connection back. */
function endConnection(client: pg.ClientBase): void {
  (client as pg.Client).end().catch(() => undefined);
}
