import sharp from 'sharp';

/** The enabled decoders: of raster images in memory. Other formats of libvips are rejected as no image. */
const decoders = ['Png', 'Jpeg', 'Nsgif', 'Webp', 'Heif', 'Tiff'];

sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: decoders.map((name) => `VipsForeignLoad${name}Buffer`) });
sharp.concurrency(1);
// Each image is decoded once.
sharp.cache(false);

export { sharp };
