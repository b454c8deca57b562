export type { AttachmentNames } from './aliases.js';
export { addressKeyOf } from './address-row.js';
export { filesByIds, KnownMedia } from './known-media.js';
export { MediaAddress } from './media-address.entity.js';
export { selectAliases } from './media-addresses.repository.js';
export { recordAddresses } from './record-addresses.js';
export { UploadBases } from './upload-bases.js';
