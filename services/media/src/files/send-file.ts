import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import type { FileResponse } from './operations/get-media-file.js';

/**
 * Writes the answer. A client that goes away closes the stream of the store; a store that fails in the middle breaks
 * the connection, since nothing else can be said any more.
 */
export function sendFile(response: ServerResponse, { status, headers, bytes }: FileResponse): void {
  response.writeHead(status, headers);
  if (!bytes) {
    response.end();
    return;
  }
  pipeline(bytes, response, (error) => {
    if (error) response.destroy();
  });
}
