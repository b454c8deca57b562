import { invalidInput, type QuireError } from '@quire/errors';
import type { ImageDetails, InspectedImage } from '../images/index.js';

const sides = ['width', 'height'] as const;

/** The dimensions that a client declares for an image: both sides, one of them or none. */
export interface DeclaredDimensions {
  width?: number | undefined;
  height?: number | undefined;
}

/**
 * Verifies declared dimensions. They must match the dimensions of the upright image, or those of the stored pixels,
 * which clients read from the head of a photo.
 * @returns the details to store: upright dimensions; declared ones only if the file has none
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
 * Prefers declared dimensions to those of the file (contract 11). Declared dimensions that match the stored pixels are
 * replaced by those of the upright image.
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
