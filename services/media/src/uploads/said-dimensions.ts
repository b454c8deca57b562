import { invalidInput, type QuireError } from '@quire/errors';
import type { ImageDetails, ReadImage } from '../images/index.js';

const sides = ['width', 'height'] as const;

/** What a client says of an image: both sides, one of them or none. */
export interface SaidDimensions {
  width?: number | undefined;
  height?: number | undefined;
}

/**
 * What is kept of an image whose client has to say what is true: its dimensions as they are shown, or as the file stores them, which
 * is what the head of a camera's photo tells. Kept are those as they are shown; what is said counts where the file tells none.
 * @throws QuireError VALIDATION_ERROR for other dimensions.
 */
export function requireDimensions(said: SaidDimensions, image: ReadImage): ImageDetails {
  if (!isTrue(said, image)) throw untrue(said, image);
  return { ...image, width: image.width ?? said.width ?? null, height: image.height ?? said.height ?? null };
}

/** What is kept of an image whose client is believed (contract 11): the file's own dimensions are kept as they are shown here too. */
export function believeDimensions(said: SaidDimensions, image: ReadImage): ImageDetails {
  if (isTrue(said, image)) return requireDimensions(said, image);
  return { ...image, width: said.width ?? image.width, height: said.height ?? image.height };
}

function isTrue(said: SaidDimensions, { width, height, isTurned }: ReadImage): boolean {
  const fits = (found: Pick<ImageDetails, 'width' | 'height'>) =>
    sides.every((side) => !differs(said[side], found[side]));
  return fits({ width, height }) || (isTurned && fits({ width: height, height: width }));
}

const differs = (said: number | undefined, found: number | null) =>
  said !== undefined && found !== null && said !== found;

function untrue(said: SaidDimensions, image: ReadImage): QuireError {
  const { width, height, isTurned } = image;
  const both = `, which is ${width} x ${height} as it is shown and ${height} x ${width} as it is stored`;
  return invalidInput(
    sides
      .filter((side) => differs(said[side], image[side]))
      .map((side) => ({ path: side, message: `is ${image[side]} in the file${isTurned ? both : ''}` })),
  );
}
