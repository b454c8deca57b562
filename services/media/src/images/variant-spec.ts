export const variantFormats = ['webp', 'avif', 'jpeg', 'png'] as const;
export type VariantFormat = (typeof variantFormats)[number];

/** The parameters of a variant of an image. */
export interface VariantSpec {
  /** In pixels, limited by the width of the image, which is the default. */
  width: number | undefined;
  format: VariantFormat;
  /** From 1 to 100. Not used for PNG, which is lossless. */
  quality: number;
}
