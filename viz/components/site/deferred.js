// What the page needs after its first picture: the desk with its model, the levels, and what stands below.

import { drawBelow } from "./levels/below.js";
import { Desk } from "./desk/desk.js";
import { chooseHead, switchHead } from "./desk_heads.js";
import { Levels } from "./levels.js";

export default { Desk, Levels, chooseHead, drawBelow, switchHead };
