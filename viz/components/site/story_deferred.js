// Entry of the article's deferred code: the desk with its model, and the pictures after the first screen.

import { Desk } from "./desk/desk.js";
import { Bars, Pieces } from "./story/pieces.js";
import { compute, valuesOf } from "./story/values.js";
import { drawEmbedding, drawHead, drawSoftmax, drawUnits, themeOf } from "./story/views.js";

export default { Bars, Desk, Pieces, compute, valuesOf, drawEmbedding, drawHead, drawSoftmax, drawUnits, themeOf };
