// Entry of a lazily loaded module: the level with one head.

import { OneHeadView } from "./one_head_view.js";

export default OneHeadView;
