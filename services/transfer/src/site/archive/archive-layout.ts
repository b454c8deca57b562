import tar from 'tar-stream';

/** The parts of a tar archive are multiples of it. */
const blockBytes = 512;
/** Two empty blocks end an archive. */
export const endBytes = 2 * blockBytes;
const mode = 0o644;

/** A file in an archive. */
export interface ArchivedFile {
  path: string;
  bytes: number;
}

/** Bytes between the end of a file and the next header. */
export function paddingOf(bytes: number): number {
  return (blockBytes - (bytes % blockBytes)) % blockBytes;
}

/** SQL for the bytes that a file of `transfer_files` takes in the archive: its header, its bytes and the padding. */
export const archivedBytes = `(${blockBytes} + (bytes + ${blockBytes - 1}) / ${blockBytes} * ${blockBytes})`;

/** The header of a file: always one block, since all paths of a package are short. */
export async function headerOf({ path, bytes }: ArchivedFile, modifiedAt: Date): Promise<Buffer> {
  const pack = tar.pack();
  try {
    pack.entry({ name: path, size: bytes, mode, mtime: modifiedAt, type: 'file' });
    for await (const part of pack) return part as Buffer;
    throw new Error(`tar has no header for ${path}`);
  } finally {
    pack.destroy();
  }
}
