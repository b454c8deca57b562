import type { VariantSpec } from '../variant-spec.js';

/** Stored properties of an image; null if its bytes do not have them. */
export interface ImageDetails {
  width: number | null;
  height: number | null;
  blurhash: string | null;
  dominantColor: string | null;
}

export type Dimensions = Pick<ImageDetails, 'width' | 'height'> & {
  /** Whether its metadata rotates it by 90 degrees, which swaps width and height of the stored pixels. */
  isRotated: boolean;
};
export type Placeholder = Pick<ImageDetails, 'blurhash' | 'dominantColor'>;

/** A task of an image process. The bytes of the task are the file. */
export type ImageTask =
  | {
      name: 'read';
      /** Another image for the placeholder. */
      thumbnail: Buffer | undefined;
      /** Whether the bytes are the whole file, which gives a placeholder; else they are its head, or none. */
      isWhole: boolean;
    }
  | { name: 'render'; spec: VariantSpec };

/** Results of an image process. Each task has some of them. */
export type ImageTaskResult = Partial<Dimensions & Placeholder> & { bytes?: Buffer | undefined };
