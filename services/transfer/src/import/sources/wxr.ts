import {
  ImportSourceError,
  type Analysis,
  type AnalysisContext,
  type ContentOptions,
  type ImportSource,
  type ItemInput,
  type SourceContext,
  type SourceInput,
} from '@quire/import-sources';

/** Reads export files; implemented by the resources that analyse and convert them. */
export interface ExportFileReader {
  analyze: (file: Blob, context: AnalysisContext) => Promise<Analysis>;
  readItems: (file: Blob, options: ContentOptions, context: SourceContext) => AsyncIterable<ItemInput>;
}

/** The source of export files (spec document 3, rule 2). It needs a file, and detects no sites. */
export function wxr({ analyze, readItems }: ExportFileReader): ImportSource {
  return {
    id: 'wxr',
    name: 'Export file',
    description: 'Imports all content of a site from its export file.',
    icon: 'upload',
    requiresFile: true,
    canProbe: false,
    analyze: async (input, context) => analyze(fileOf(input), context),
    fetchContent: (input, options, context) => readItems(fileOf(input), options, context),
  };
}

function fileOf(input: SourceInput): Blob {
  if (input.type === 'file') return input.file;
  throw new ImportSourceError('An export file is required: upload the file that the old site exports.');
}
