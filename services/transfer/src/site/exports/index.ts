export { nextExportStep } from './steps/next-export-step.js';
