import {
  ImportSourceError,
  type Analysis,
  type AnalysisContext,
  type ContentOptions,
  type ImportSource,
  type ItemInput,
  type SourceInput,
} from '@quire/import-sources';
import { ExportAnalysis } from '../analysis/index.js';
import { ExportFileError } from '../export-file/index.js';
import { exportEvents, readExportItems } from './export-file-items.js';

const id = 'wxr';

/** The source of export files (spec document 3, rule 2). It needs a file, and detects no sites. */
export function wxr(): ImportSource {
  return {
    id,
    name: 'Export file',
    description: 'Imports all content of a site from its export file.',
    icon: 'upload',
    requiresFile: true,
    canProbe: false,
    analyze: async (input, context) => analyze(fileOf(input), context),
    fetchContent: (input, options) => readItems(fileOf(input), options),
  };
}

async function analyze(file: Blob, { getExistingCollections }: AnalysisContext): Promise<Analysis> {
  const analysis = new ExportAnalysis();
  try {
    for await (const event of exportEvents(file)) analysis.add(event);
  } catch (error) {
    throw toSourceError(error);
  }
  const collections = [...(await getExistingCollections())].map(([slug, fields]) => ({
    slug,
    fields: [...fields],
    supports: [],
  }));
  const targets = { collections, taxonomies: [], defaultLocale: '', locales: null };
  return { sourceId: id, ...analysis.result(targets) };
}

async function* readItems(file: Blob, options: ContentOptions): AsyncGenerator<ItemInput, void, undefined> {
  try {
    yield* readExportItems(file, options);
  } catch (error) {
    throw toSourceError(error);
  }
}

function fileOf(input: SourceInput): Blob {
  if (input.type === 'file') return input.file;
  throw new ImportSourceError('An export file is required: upload the file that the old site exports.');
}

/** A fault of the file is shown to the user. */
function toSourceError(error: unknown): unknown {
  if (!(error instanceof ExportFileError)) return error;
  return new ImportSourceError(`The file is no complete export: ${error.message}`, { cause: error });
}
