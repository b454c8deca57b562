import sharp from 'sharp';

/**
 * The only decoders there are: of raster images, out of memory. What else libvips could open, it takes for no image.
 */
const decoders = ['Png', 'Jpeg', 'Nsgif', 'Webp', 'Heif', 'Tiff'];

sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: decoders.map((name) => `VipsForeignLoad${name}Buffer`) });
sharp.concurrency(1);
// No image comes twice.
sharp.cache(false);

export { sharp };
