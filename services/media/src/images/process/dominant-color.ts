/** Bins of each channel. Similar colours count as one. */
const bins = 16;
const binSize = 256 / bins;

/**
 * The most frequent colour of an image, as hexadecimal digits: the middle of its bin. Statistics of sharp contain it
 * too, but also entropy and sharpness, which take more time than the decoding of a photo.
 * @param pixels four bytes each: red, green, blue, and alpha, which does not count
 */
export function dominantColorOf(pixels: Uint8Array): string {
  const counts = new Uint32Array(bins ** 3);
  let dominant = 0;
  for (let at = 0; at + 3 < pixels.length; at += 4) {
    const bin = (binAt(pixels, at) * bins + binAt(pixels, at + 1)) * bins + binAt(pixels, at + 2);
    counts[bin] = (counts[bin] ?? 0) + 1;
    if ((counts[bin] ?? 0) > (counts[dominant] ?? 0)) dominant = bin;
  }
  const parts = [Math.floor(dominant / bins ** 2), Math.floor(dominant / bins) % bins, dominant % bins];
  return `#${parts.map((part) => (part * binSize + binSize / 2).toString(16).padStart(2, '0')).join('')}`;
}

const binAt = (pixels: Uint8Array, index: number) => Math.floor((pixels[index] ?? 0) / binSize);
