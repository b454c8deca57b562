import { invalidInput, type QuireError } from '@quire/errors';
import type { ImageDetails, InspectedImage } from '../images/index.js';

const sides = ['width', 'height'] as const;

/** What a client says of an image: both sides, one of them or none. */
export interface DeclaredDimensions {
  width?: number | undefined;
  height?: number | undefined;
}

/**
 * What is kept of an image whose client has to say what is true: its dimensions as they are shown, or as the file
 * stores them, which is what the head of a camera's photo tells. Kept are those as they are shown; what is declared
 * counts where the file tells none.
 * @throws QuireError VALIDATION_ERROR for other dimensions.
 */
export function verifyDimensions(declared: DeclaredDimensions, image: InspectedImage): ImageDetails {
  if (!matchesImage(declared, image)) throw dimensionsError(declared, image);
  const { isRotated: _, ...details } = image;
  return {
    ...details,
    width: image.width ?? declared.width ?? null,
    height: image.height ?? declared.height ?? null,
  };
}

/**
 * What is kept of an image whose client is believed (contract 11): the file's own dimensions are kept as they are shown
 * here too.
 */
export function preferDeclaredDimensions(declared: DeclaredDimensions, image: InspectedImage): ImageDetails {
  if (matchesImage(declared, image)) return verifyDimensions(declared, image);
  const { isRotated: _, ...details } = image;
  return { ...details, width: declared.width ?? image.width, height: declared.height ?? image.height };
}

function matchesImage(declared: DeclaredDimensions, { width, height, isRotated }: InspectedImage): boolean {
  const fits = (found: Pick<ImageDetails, 'width' | 'height'>) =>
    sides.every((side) => !differs(declared[side], found[side]));
  return fits({ width, height }) || (isRotated && fits({ width: height, height: width }));
}

const differs = (declared: number | undefined, found: number | null) =>
  declared !== undefined && found !== null && declared !== found;

function dimensionsError(declared: DeclaredDimensions, image: InspectedImage): QuireError {
  const { width, height, isRotated } = image;
  const both = `, which is ${width} x ${height} as it is shown and ${height} x ${width} as it is stored`;
  return invalidInput(
    sides
      .filter((side) => differs(declared[side], image[side]))
      .map((side) => ({ path: side, message: `is ${image[side]} in the file${isRotated ? both : ''}` })),
  );
}
