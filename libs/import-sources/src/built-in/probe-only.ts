import type { ImportSource } from '../source/import-source.js';
import { ImportSourceError } from '../source/import-source-error.js';

export const exportInstructions =
  'In the admin panel of the old site, open Tools, then Export, choose all content and download the export file. ' +
  'Then upload that file here.';

/** The functions of a source that detects sites, and whose content arrives as an export file. */
export function probeOnly(name: string): Pick<ImportSource, 'analyze' | 'fetchContent'> {
  const message = `${name} is only detected by its address. ${exportInstructions}`;
  return {
    analyze: () => Promise.reject(new ImportSourceError(message)),
    fetchContent: () => {
      throw new ImportSourceError(message);
    },
  };
}
