import { ProgressBar } from '@quire/cli';
import { ConfigurationError } from '@quire/config';
import { QuireError } from '@quire/errors';
import type { ImportApi, ImportForm } from './import-api.js';
import type { ImportLine, ImportSummary } from './import-responses.js';

export interface ContentInput {
  file: ImportForm['file'];
  config: object;
  /** An earlier import of the file, which is continued with its own configuration. */
  importId: string | null;
  /** Pauses the import. */
  stopping: AbortSignal;
}

/**
 * Imports the content of a file, or continues its import, and shows the progress.
 * @throws QuireError of the API, CONFLICT when the import has been paused; ConfigurationError without a connection
 */
export async function importContent(
  api: ImportApi,
  print: (line: string) => Promise<void>,
  { file, config, importId: earlier, stopping }: ContentInput,
): Promise<ImportSummary> {
  const form =
    earlier === null ? { file, fields: formFields(config) } : { fields: formFields({ importId: earlier }) };
  const { importId } = await api.submit<{ importId: string }>('import/legacy/execute', form, stopping);
  const pause = () =>
    // The stream of the progress shows whether it is paused.
    void api.call('POST', `import/legacy/imports/${importId}/pause`).catch(() => undefined);
  stopping.addEventListener('abort', pause, { once: true });
  try {
    await print(
      earlier === null
        ? `Import ${importId} has begun`
        : `Import ${importId} continues, with the collections that it began with`,
    );
    return await follow(api, importId);
  } finally {
    stopping.removeEventListener('abort', pause);
  }
}

const formFields = (config: object) => ({ config: JSON.stringify(config) });

async function follow(api: ImportApi, importId: string): Promise<ImportSummary> {
  const bar = new ProgressBar(process.stderr);
  try {
    for await (const line of api.stream<ImportLine>('GET', `import/legacy/imports/${importId}/progress`)) {
      if (line.type === 'result') return line;
      if (line.type === 'paused')
        throw new QuireError('CONFLICT', 'The import is paused; the same command continues it');
      bar.show(line.phase, line);
    }
  } finally {
    bar.end();
  }
  throw new ConfigurationError('The connection ended before the import; the same command continues it');
}
