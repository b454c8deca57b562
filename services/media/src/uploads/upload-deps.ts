import type { ImageInspector } from '../images/index.js';
import type { MediaChangeNotifier } from '../items/index.js';
import type { MediaObjects } from '../objects/index.js';
import type { FieldTypes } from '../types/index.js';

/** Dependencies of the upload operations. */
export class UploadDeps {
  constructor(
    readonly objects: MediaObjects,
    readonly images: ImageInspector,
    readonly types: FieldTypes,
    /** Maximum size of a file, in bytes. */
    readonly maxBytes: number,
    readonly notifier: MediaChangeNotifier,
  ) {}
}
