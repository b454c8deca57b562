import { Comment } from './comments/index.js';
import { Byline, BylineField, BylineGroup } from './bylines/index.js';
import { Collection, Field } from './schema/index.js';
import { resourceEntities } from './content.module.js';

/** Fixed tables that are read and written as TypeORM entities. */
export const contentEntities = [
  Byline,
  BylineField,
  BylineGroup,
  Collection,
  Comment,
  Field,
  ...resourceEntities,
];
