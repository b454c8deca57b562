import { createSHA256 } from 'hash-wasm';
import type { Digest } from './digest.js';

type Hasher = Awaited<ReturnType<typeof createSHA256>>;

/** A SHA-256 that is computed in several steps: its state is a text that is stored between them. */
export class RunningDigest {
  private constructor(private readonly hasher: Hasher) {}

  /** @param state of `save()`; a new computation without it */
  static async open(state?: string): Promise<RunningDigest> {
    const hasher = (await createSHA256()).init();
    return new RunningDigest(state === undefined ? hasher : hasher.load(Buffer.from(state, 'base64')));
  }

  update(bytes: Uint8Array | string): this {
    this.hasher.update(bytes);
    return this;
  }

  /** The state after the bytes so far, about 150 characters. */
  save(): string {
    return Buffer.from(this.hasher.save()).toString('base64');
  }

  /** Ends the computation. */
  digest(): Digest {
    return `sha256:${this.hasher.digest('hex')}`;
  }
}
