import { Comment } from './comments/index.js';
import { Collection, Field } from './schema/index.js';

/** Fixed tables that are read and written as TypeORM entities. */
export const contentEntities = [Collection, Field, Comment];
