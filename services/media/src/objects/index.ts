export { doom, doomAll, prolong, spare } from './doomed-objects.repository.js';
export { doomedObjectsMigration } from './doomed-objects.tables.js';
export { doomedSweep } from './doomed-sweep.js';
export { MediaObjects } from './media-objects.js';
