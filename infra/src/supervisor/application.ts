import { join } from 'node:path';

/** The files of an application to start. The tests pass a fake. */
export interface Application {
  /** The file with the list of targets. */
  targets: string;
  /** Runs targets: `main --target a,b`; sends its parent `ready` or `failed` over IPC. */
  main: string;
  /** The command line: `cms migrate`, … */
  cms: string;
}

/** The composition root of Quire. @param root the repository */
export function standalone(root: string): Application {
  const folder = join(root, 'services', 'standalone');
  return {
    targets: join(folder, 'targets.json'),
    main: join(folder, 'dist', 'bundle', 'main.js'),
    cms: join(folder, 'dist', 'bundle', 'cms.js'),
  };
}
