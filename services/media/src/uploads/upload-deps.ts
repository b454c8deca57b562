import type { Context } from '@quire/context';
import { maxUploadBytesOf } from '@quire/tenancy';
import type { ImageInspector } from '../images/index.js';
import type { MediaChangeNotifier } from '../items/index.js';
import type { MediaObjects } from '../objects/index.js';
import type { FieldTypes } from '../types/index.js';
import type { StorageQuota } from './storage-quota.js';

/** Dependencies of the upload operations. */
export class UploadDeps {
  constructor(
    readonly objects: MediaObjects,
    readonly images: ImageInspector,
    readonly types: FieldTypes,
    /** Maximum size of a file of any site, in bytes. */
    private readonly maxBytes: number,
    readonly notifier: MediaChangeNotifier,
    readonly quota: StorageQuota,
  ) {}

  /** Maximum size of a file of the site of a context, in bytes. */
  maxBytesOf({ principal }: Context): number {
    return maxUploadBytesOf(principal.tenant, this.maxBytes);
  }
}
