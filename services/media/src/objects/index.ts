export { doom, spare } from './doomed-objects.repository.js';
export { doomedObjectsMigration } from './doomed-objects.tables.js';
export { DoomedSweep, type DoomedSweepParts } from './doomed-sweep.js';
export { MediaObjects } from './media-objects.js';
