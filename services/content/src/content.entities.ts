import { NotFoundEntry } from './not-found-log/index.js';
import { Redirect } from './redirects/index.js';
import { Collection, Field } from './schema/index.js';
import { Setting } from './settings/index.js';

/** Fixed tables that are read and written as TypeORM entities. */
export const contentEntities = [Collection, Field, Setting, Redirect, NotFoundEntry];
