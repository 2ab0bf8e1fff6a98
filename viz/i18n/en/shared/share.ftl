### Words of the dialog that shares a change.

share_change = Share this change
share_link = Link to this change
share_foot = See where a Transformer looks while it translates
share_send = Send…
save_picture = Save the picture
save_loop = Save the loop
making_loop = Making the loop: { $n }%
made_loop = Saved as { $name }, { $size } kB.
no_loop = This browser cannot make a loop. The picture shows the same change.
copy_it = It could not be copied: copy it from the field.
close = Close
share_copy = Copy the link
share_copied = Copied.
share_title = { $changes }: “{ $before }” becomes “{ $after }”
share_without = Without head { $head }, “{ $before }” becomes “{ $after }”
