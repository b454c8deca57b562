/** The size of a reduced image at the end of a name: `photo-300x200.jpg`. */
const sizeSuffix = /-\d{1,5}x\d{1,5}(?=\.[^./]{1,10}$)/;
/** What the source adds to the names of files that it has changed: `photo-scaled.jpg`, `photo-e1712345678901.jpg`. */
const changeSuffix = /(?:-scaled|-rotated|-e\d+)+(?=\.[^./]{1,10}$)/;

/** @returns the path of the image that this one is a reduced version of, or null. */
export function withoutSize(path: string): string | null {
  const original = path.replace(sizeSuffix, '');
  return original === path ? null : original;
}

/** @returns the path of the file before the source changed it; the path itself for an unchanged file. */
export function stemOf(path: string): string {
  return path.replace(changeSuffix, '');
}
