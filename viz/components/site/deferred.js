// What the page needs after its first picture: the desk with its model, the levels, and what stands below.

import { drawBelow } from "./levels/below.js";
import { Chance } from "./desk/chance.js";
import { Desk } from "./desk/desk.js";
import { chooseHead, switchHead } from "./desk_heads.js";
import { Levels } from "./levels.js";

export default { Chance, Desk, Levels, chooseHead, drawBelow, switchHead };
