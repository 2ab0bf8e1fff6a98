// One head, fetched before it is first opened.

import { OneHeadView } from "./one_head_view.js";

export default OneHeadView;
