import type { VariantSpec } from '../variant-spec.js';

/** What is kept of an image beside its bytes; null where they tell nothing. */
export interface ImageDetails {
  width: number | null;
  height: number | null;
  blurhash: string | null;
  dominantColor: string | null;
}

export type Dimensions = Pick<ImageDetails, 'width' | 'height'> & {
  /** Whether its metadata turns it onto its side: its width as it is shown is its height as it is stored. */
  isRotated: boolean;
};
export type Placeholder = Pick<ImageDetails, 'blurhash' | 'dominantColor'>;

/** What an image process is asked for. The bytes of the task are the file. */
export type ImageTask =
  | {
      name: 'read';
      /** Another picture to make the placeholder of. */
      thumbnail: Buffer | undefined;
      /** Whether the bytes are the whole file, to make the placeholder of; else they are its head, or none. */
      isWhole: boolean;
    }
  | { name: 'render'; spec: VariantSpec };

/** What an image process finds out: each task has its own of these. */
export type ImageTaskResult = Partial<Dimensions & Placeholder> & { bytes?: Buffer | undefined };
