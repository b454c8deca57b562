export const variantFormats = ['webp', 'avif', 'jpeg', 'png'] as const;
export type VariantFormat = (typeof variantFormats)[number];

/** What a variant of an image is to be. */
export interface VariantSpec {
  /** In pixels; the image's own when there is none, and never more than that. */
  width: number | undefined;
  format: VariantFormat;
  /** 1 to 100; a PNG loses nothing and has none. */
  quality: number;
}
