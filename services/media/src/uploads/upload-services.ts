import type { ImageReader } from '../images/index.js';
import type { ItemNews } from '../items/index.js';
import type { MediaObjects } from '../objects/index.js';
import type { FieldTypes } from '../types/index.js';

/** What uploads need beside the data of the tenant. */
export class UploadServices {
  constructor(
    readonly objects: MediaObjects,
    readonly images: ImageReader,
    readonly types: FieldTypes,
    /** Largest file that is accepted, in bytes. */
    readonly maximumBytes: number,
    readonly news: ItemNews,
  ) {}
}
