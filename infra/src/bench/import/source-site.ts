import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';

/** Side lengths of the pictures, whose files have some 10 to 40 KB. */
const sides = [60, 70, 80, 90, 100];

/** A site with any number of distinct pictures, on this machine. */
export class SourceSite {
  private constructor(
    private readonly server: Server,
    private readonly pictures: readonly Buffer[],
  ) {}

  static async start(): Promise<SourceSite> {
    const pictures = await createPictures();
    const server = createServer();
    const site = new SourceSite(server, pictures);
    server.on('request', ({ url = '/' }, response) => {
      const file = site.file(Number(url.slice(1)));
      response.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': file.length }).end(file);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return site;
  }

  /** The address of a file. */
  url(host: string, number: number): string {
    return `http://${host}:${(this.server.address() as AddressInfo).port}/${number}`;
  }

  /** A few bytes after the end of a picture make another file of it. */
  file(number: number): Buffer {
    return Buffer.concat([
      this.pictures[number % this.pictures.length] ?? Buffer.of(),
      Buffer.from(`${number}`),
    ]);
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

/** A PNG and a larger JPEG file of each size. */
function createPictures(): Promise<Buffer[]> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  return Promise.all(
    sides.flatMap((side) => {
      const picture = { width: side, height: side, channels: 3, background: '#808080', noise } as const;
      const create = async () => sharp(await sharp({ create: picture }).png().toBuffer());
      return [
        create().then((image) => image.png().toBuffer()),
        create().then((image) =>
          image
            .resize(4 * side)
            .jpeg({ quality: 80 })
            .toBuffer(),
        ),
      ];
    }),
  );
}
