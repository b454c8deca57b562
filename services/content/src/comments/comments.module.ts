import { ResourceModule } from '@quire/operation';
import { CommentCount, CommentStatusCount } from './comment-counts.entity.js';
import { Comment } from './comment.entity.js';
import { CommentsController } from './comments.controller.js';

@ResourceModule({ controllers: [CommentsController], entities: [Comment, CommentCount, CommentStatusCount] })
export class CommentsModule {}
