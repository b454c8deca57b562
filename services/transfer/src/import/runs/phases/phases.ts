import { importContent } from './content.js';
import { importBylines } from './bylines.js';
import { linkEntries } from './hierarchy.js';
import { importMenus } from './menus.js';
import type { Phases } from './phase.js';
import { importSections } from './sections.js';
import { createTerms, linkTerms } from './terms.js';

/** The phases of an import by their names (contract 1.4, Order). */
export const phases: Phases = {
  bylines: importBylines,
  terms: createTerms,
  parents: linkTerms,
  content: importContent,
  hierarchy: linkEntries,
  sections: importSections,
  menus: importMenus,
};
