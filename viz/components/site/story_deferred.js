// What the article needs after its first picture: the desk with its model, and what the picture shows after the first screen.

import { Desk } from "./desk/desk.js";
import { Bars } from "./story/bars.js";
import { valuesOf } from "./story/values.js";
import { drawEmbedding, drawHead, drawPieces, drawUnits } from "./story/views.js";

export default { Bars, Desk, valuesOf, drawEmbedding, drawHead, drawPieces, drawUnits };
