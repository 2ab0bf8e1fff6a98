// Entry of the deferred code, loaded after the first picture: the desk with its model, the levels, and the page's end.

import { drawBelow } from "./levels/below.js";
import { SamplingPreview } from "./desk/sampling_preview.js";
import { Desk } from "./desk/desk.js";
import { chooseHead, switchHead } from "./desk_heads.js";
import { Levels } from "./levels.js";

export default { Desk, Levels, SamplingPreview, chooseHead, drawBelow, switchHead };
