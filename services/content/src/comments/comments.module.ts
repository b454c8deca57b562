import { ResourceModule } from '@quire/operation';
import { Comment } from './comment.entity.js';
import { CommentsController } from './comments.controller.js';

@ResourceModule({ controllers: [CommentsController], entities: [Comment] })
export class CommentsModule {}
